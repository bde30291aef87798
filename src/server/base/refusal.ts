/** What stops a command: a sentence for whoever typed it. */
export class Refusal extends Error {}
