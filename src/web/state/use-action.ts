import { useState } from 'react';
import { messageOf } from '#contract/platform/problem.ts';

/** What a press of a button came to; at most one of the three is not empty. */
export interface ActionState {
  /** The name of what is under way. */
  pending: string;
  error: string;
  /** What was done, in words for the user. */
  done: string;
}
const idle: ActionState = { pending: '', error: '', done: '' };

/** Work started by a button. A text that it returns says what was done. */
type Work = () => Promise<unknown>;

/** Runs what a button starts and keeps its state for the screen. `run` takes a name, for screens with several buttons. */
export function useAction() {
  const [state, setState] = useState(idle);
  const run = async (name: string, work: Work): Promise<void> => {
    setState({ ...idle, pending: name });
    try {
      const done = await work();
      setState({ ...idle, done: typeof done === 'string' ? done : '' });
    } catch (error) {
      setState({ ...idle, error: messageOf(error) });
    }
  };
  return { ...state, run: (name: string, work: Work) => void run(name, work), reset: () => setState(idle) };
}
