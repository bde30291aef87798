import { endpoint } from '#contract/platform/endpoint.ts';
import { Done } from '#contract/platform/lists.schema.ts';
import * as schema from './second-factor.schema.ts';

export const proveOneself = endpoint('POST /api/users/proof', {
  right: 'office',
  allowsMissingSecondFactor: true,
  summary: 'Enter your password or a code again before a refund, a promotion or an export',
  errors: [429],
  body: schema.ProofBody,
  reply: Done,
});

export const readSecondFactor = endpoint('GET /api/users/second-factor', {
  right: 'office',
  allowsMissingSecondFactor: true,
  summary: 'Read whether your account has a second factor',
  reply: schema.SecondFactor,
});

export const beginSecondFactor = endpoint('POST /api/users/second-factor', {
  right: 'office',
  allowsMissingSecondFactor: true,
  summary: 'Start setting up a second factor: answers the secret for an app',
  reply: schema.SetUp,
});

export const confirmSecondFactor = endpoint('POST /api/users/second-factor/confirm', {
  right: 'office',
  allowsMissingSecondFactor: true,
  summary: 'Confirm a second factor with a code from its app; answers recovery codes',
  errors: [429],
  body: schema.ConfirmBody,
  reply: schema.RecoveryCodes,
});

export const removeSecondFactor = endpoint('DELETE /api/users/second-factor', {
  right: 'office',
  summary: 'Switch off your second factor',
  errors: [409],
  reply: Done,
});
