/** Stops a command with a sentence for the person who typed it. */
export class Refusal extends Error {}
