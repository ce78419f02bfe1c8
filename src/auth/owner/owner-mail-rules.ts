import type { EnvironmentName } from '../../core/environment.ts'
import { CODE_MINUTES } from '../sign-up/verification-rules.ts'

type Content = { subject: string; text: string }

const lines = (...texts: string[]) => `${texts.join('\n\n')}\n`

/** Emails to owners. A subject never contains a code, because lock screens show it. */
export const ownerMails = {
  signUp: (name: EnvironmentName, code: string): Content => ({
    subject: `Your code for Remit ${name}`,
    text: lines(
      `Enter this code to finish signing up: ${code}`,
      `It is good for ${CODE_MINUTES} minutes.`,
      'If you did not sign up, you need not do anything: without the code there will be no account.',
    ),
  }),

  signUpTaken: (name: EnvironmentName): Content => ({
    subject: `You have an account at Remit ${name}`,
    text: lines(
      'Somebody tried to sign up with your email address, which has an account already.',
      'If it was you, sign in instead, or choose a new password on the page "Forgot password".',
      'If it was not you, you need not do anything.',
    ),
  }),

  passwordForgotten: (name: EnvironmentName, code: string): Content => ({
    subject: `Your code for a new password at Remit ${name}`,
    text: lines(
      `Enter this code to choose a new password: ${code}`,
      `It is good for ${CODE_MINUTES} minutes. Give it to nobody.`,
      'If you did not ask for it, you need not do anything: your password stays as it is.',
    ),
  }),

  passwordChanged: (name: EnvironmentName): Content => ({
    subject: `Your password at Remit ${name} was changed`,
    text: lines(
      'The password of your account was changed, and other browsers were signed out.',
      'If it was not you, choose a new one at once on the page "Forgot password".',
    ),
  }),

  emailCode: (name: EnvironmentName, code: string): Content => ({
    subject: `Your code for Remit ${name}`,
    text: lines(
      `Enter this code to make this the email address of your account: ${code}`,
      `It is good for ${CODE_MINUTES} minutes.`,
      'If you did not ask for it, you need not do anything.',
    ),
  }),

  emailTaken: (name: EnvironmentName): Content => ({
    subject: `You have an account at Remit ${name}`,
    text: lines(
      'Somebody tried to make this the email address of another account. It stays with yours.',
      'You need not do anything.',
    ),
  }),

  emailChanged: (name: EnvironmentName, email: string): Content => ({
    subject: `Your email address at Remit ${name} was changed`,
    text: lines(
      `The email address of your account is ${email} now. You cannot sign in with this one any more.`,
      'If it was not you, tell the people who run this service at once.',
    ),
  }),

  oldRecoveryCodes: (name: EnvironmentName): Content => ({
    subject: `Make new recovery codes for Remit ${name}`,
    text: lines(
      'The operator has replaced the key that protects your recovery codes.',
      'Make new codes on the page "Security". The old ones stop working when the operator removes the old key.',
      'Your authenticator app goes on working. You need not do anything about it.',
    ),
  }),

  recoveryCodesRemoved: (name: EnvironmentName): Content => ({
    subject: `Your recovery codes for Remit ${name} do not work any more`,
    text: lines(
      'The operator has removed the key that protected your recovery codes.',
      'Make new codes on the page "Security". Your authenticator app goes on working.',
    ),
  }),

  twoFactorOff: (name: EnvironmentName): Content => ({
    subject: `Two-factor authentication at Remit ${name} was switched off`,
    text: lines(
      'Your account asks for your password alone now.',
      'If it was not you, choose a new password at once and switch it on again.',
    ),
  }),
}
