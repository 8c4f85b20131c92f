/** Messages to and from the thread of the offline model. */
export interface OfflineRequest {
  readonly id: number;
  readonly text: string;
}

export type OfflineResponse =
  | { readonly id: number; readonly vector: Float32Array }
  | { readonly id: number; readonly failure: string };

/** Dimensions of the Universal Sentence Encoder lite. */
export const offlineDims = 512;
/** Tokens of a text that the model reads; what follows it would ignore. */
export const offlineTokensMax = 128;
/** A text is cut here, in UTF-16 code units: its tokenizer takes time that grows with the square of the length. */
export const offlineTextMax = 4_000;
