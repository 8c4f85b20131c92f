import type { Prompt } from './prompt.ts';

/** A tool that a model may call while it answers. */
export interface ModelTool {
  /** The name for the model: 1 to 64 letters, digits, underscores and hyphens. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /**
   * Calls the tool. A failure is a text for the model, too.
   *
   * @throws Only if the answer has ended.
   */
  execute(input: unknown): Promise<string>;
}

/** A call that a model wrote and that cannot be made. */
export interface ImpossibleCall {
  /** As the model wrote it. */
  readonly name: string;
  readonly input: unknown;
  readonly reason: 'unknown-tool' | 'malformed';
}

/** A request for an answer. */
export interface ModelCall {
  readonly model: string;
  readonly prompt: Prompt;
  readonly temperature: number;
  readonly tools: readonly ModelTool[];
  readonly signal: AbortSignal;
  /** Is given the text as it comes. */
  readonly onText: (piece: string) => void;
  /** Is given the tokens so far: with each request to the model, and at its end. */
  readonly onUsage: (usage: Usage) => void;
  readonly onImpossibleCall: (call: ImpossibleCall) => Promise<void>;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Whether they are an estimate, because the model counted none. */
  readonly isEstimated: boolean;
}

/** A model that could not answer. The message is for people: it repeats nothing that the endpoint said. */
export class ModelFailure extends Error {
  override name = 'ModelFailure';
}

/** The language models that are configured. */
export interface Models {
  /** Their names; the first is the default. Empty where none is configured. */
  readonly names: readonly string[];
  /** Tokens that each takes, the answer included. */
  readonly contextTokens: number;
  /**
   * Answers a prompt, with tool calls in between.
   *
   * @throws {ModelFailure} Also if the answer was cut off; text that `onText` received is kept.
   */
  answer(call: ModelCall): Promise<void>;
}

/** Where no model is configured. */
export const noModels: Models = {
  names: [],
  contextTokens: 0,
  answer: async () => {
    throw new ModelFailure('No language model is configured');
  },
};
