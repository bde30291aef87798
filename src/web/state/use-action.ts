import { useState } from 'react';
import { messageOf } from '#contract/platform/problem.ts';

/** The state of an action; at most one field is not empty. */
export interface ActionState {
  /** The name of the running action. */
  pending: string;
  error: string;
  /** A success message. */
  done: string;
}
const idle: ActionState = { pending: '', error: '', done: '' };

/** A returned text is the success message. */
type Work = () => Promise<unknown>;

/** Runs actions of buttons and keeps their state. `run` takes a name, for screens with several buttons. */
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
