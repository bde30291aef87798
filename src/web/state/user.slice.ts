import { createSlice, isPending, isRejected, type PayloadAction, type ThunkDispatch, type UnknownAction } from '@reduxjs/toolkit';
import type {
  ForgotPasswordBody,
  LoginBody,
  ProfileBody,
  RegisterBody,
  ResetPasswordBody,
  Session,
  VerifyOtpBody,
} from '#contract/accounts/users.ts';
import type { Call } from '#contract/api.ts';
import { deviceToken } from '#web/browser/browser-storage.ts';
import { type Failure, request, thunk } from './thunk.ts';

/** Adds the browser's token (`deviceToken`). */
const onDevice = <T extends object>(body: T): T & { device: string } => ({ ...body, device: deviceToken() });

export const logIn = thunk('user/login', (call, body: LoginBody) => call('POST /api/users/login', { body: onDevice(body) }));
export const signUp = thunk('user/register', (call, body: RegisterBody) => call('POST /api/users', { body: onDevice(body) }));
export const saveProfile = thunk('user/update-profile', (call, body: ProfileBody) =>
  call('PUT /api/users/profile', { body: onDevice(body) }),
);
export const sendOtp = thunk('user/forgot-password', (call, body: ForgotPasswordBody) =>
  call('POST /api/users/forgot-password', { body: onDevice(body) }),
);
export const checkOtp = thunk('user/verify-otp', (call, body: VerifyOtpBody) =>
  call('POST /api/users/verify-otp', { body: onDevice(body) }),
);
export const changePassword = thunk('user/change-password', (call, body: ResetPasswordBody) =>
  call('POST /api/users/reset-password', { body: onDevice(body) }),
);

const REQUESTS = [logIn, signUp, saveProfile, sendOtp, checkOtp, changePassword] as const;

/** Logs out at once. The server ends the session by a request that outlives the page; best effort, since sessions expire. */
export const logOut = () => (dispatch: ThunkDispatch<unknown, { call: Call }, UnknownAction>) => {
  // Before the session is removed, since the call carries its token.
  dispatch(request('POST /api/users/logout', { outlivesPage: true })).catch(() => undefined);
  dispatch(loggedOut());
};

export interface UserState {
  userInfo: Session | null;
  pending: boolean;
  error: boolean;
  errorMessage: string;
  updateSuccess: boolean;
  /** Why the visitor must log in again. */
  notice: string;
  isOtp: boolean;
  isVerified: boolean;
  isPasswordChanged: boolean;
  /** False until the browser's storage is read: the visitor is unknown before. */
  isRestored: boolean;
}

/** For ended sessions (specification §8). */
export const LOGIN_AGAIN = 'Please Login again';

const calm = { pending: false, error: false, errorMessage: '' };
const initialState: UserState = {
  ...calm,
  userInfo: null,
  updateSuccess: false,
  notice: '',
  isOtp: false,
  isVerified: false,
  isPasswordChanged: false,
  isRestored: false,
};

const started = (state: UserState) => Object.assign(state, calm, { pending: true, updateSuccess: false });
const failed = (state: UserState, { error }: { error: Failure }) =>
  Object.assign(state, calm, { error: true, errorMessage: error.message });
const sessionStarted = (state: UserState, { payload }: PayloadAction<Session>) =>
  Object.assign(state, calm, { userInfo: payload, notice: '', isPasswordChanged: false });

export const userSlice = createSlice({
  name: 'user',
  initialState,
  reducers: {
    /** Clears the request's state, and sets the stored session (specification §4, reset). */
    userReset(state, { payload }: PayloadAction<Session | null>) {
      Object.assign(state, calm, { updateSuccess: false, userInfo: payload, isRestored: true });
    },
    passwordResetRestarted(state) {
      Object.assign(state, calm, { isOtp: false, isVerified: false, isPasswordChanged: false });
    },
    /** A logout, here or in another tab; with a notice, an ended session. */
    loggedOut(state, { payload = '' }: PayloadAction<string | undefined>) {
      Object.assign(state, calm, { userInfo: null, updateSuccess: false, notice: payload });
    },
  },
  extraReducers: (builder) =>
    builder
      .addCase(logIn.fulfilled, sessionStarted)
      .addCase(signUp.fulfilled, sessionStarted)
      .addCase(saveProfile.fulfilled, (state, { payload }) => void Object.assign(state, calm, { userInfo: payload, updateSuccess: true }))
      .addCase(sendOtp.fulfilled, (state) => void Object.assign(state, calm, { isOtp: true }))
      .addCase(checkOtp.fulfilled, (state) => void Object.assign(state, calm, { isVerified: true }))
      .addCase(changePassword.fulfilled, (state) => void Object.assign(state, calm, { isPasswordChanged: true }))
      .addMatcher(isPending(...REQUESTS), started)
      .addMatcher(isRejected(...REQUESTS), failed),
  selectors: { selectUser: (state) => state, selectUserInfo: (state) => state.userInfo },
});

export const { userReset, passwordResetRestarted, loggedOut } = userSlice.actions;
export const { selectUser, selectUserInfo } = userSlice.selectors;
