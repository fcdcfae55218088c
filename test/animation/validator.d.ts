/** What the tests use of the validator of Khronos, which has no declarations of its own. */
declare module 'gltf-validator' {
  export function validateBytes(bytes: Uint8Array): Promise<{
    readonly issues: {
      readonly messages: readonly {
        readonly code: string;
        readonly message: string;
        readonly pointer: string;
        /** Error, warning, information, hint. */
        readonly severity: number;
      }[];
    };
  }>;
}
