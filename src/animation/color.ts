/** The light of a colour, of which screens have the numbers that look evenly spaced (sRGB, IEC 61966-2-1); glTF and WebGL compute with it. */
export const linear = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
