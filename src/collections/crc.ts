/** The checksum of PNG and ZIP files: CRC-32 (ISO 3309). */

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

export function crc32(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (let k = 0; k < bytes.length; k++) c = TABLE[(c ^ bytes[k]!) & 255]! ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}
