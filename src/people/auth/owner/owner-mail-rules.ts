import type { EnvironmentName } from '../../../foundation/core/environment.ts'
import { serviceMail } from '../../../foundation/mail/mail-rules.ts'
import { CODE_MINUTES } from '../sign-up/verification-rules.ts'

type Content = ReturnType<typeof serviceMail>

/** Emails to owners. A subject never contains a code, because lock screens show it. */
export const ownerMails = {
  signUp: (name: EnvironmentName, code: string): Content =>
    serviceMail(
      name,
      `Confirm your email for Remit ${name}`,
      `Your confirmation code is ${code}. Enter it to finish signing up.`,
      `The code expires in ${CODE_MINUTES} minutes.`,
      'If you did not sign up, you can ignore this email.',
    ),

  signUpTaken: (name: EnvironmentName): Content =>
    serviceMail(
      name,
      `You already have a Remit ${name} account`,
      'Someone tried to sign up with your email address, but you already have an account.',
      'If this was you, sign in instead. If you forgot your password, choose "Forgot your password?" on the sign-in page.',
      'If this was not you, you can ignore this email.',
    ),

  passwordForgotten: (name: EnvironmentName, code: string): Content =>
    serviceMail(
      name,
      `Reset your Remit ${name} password`,
      `Your code is ${code}. Enter it to choose a new password.`,
      `The code expires in ${CODE_MINUTES} minutes. Do not share it with anyone.`,
      'If you did not request this, you can ignore this email. Your password has not changed.',
    ),

  passwordChanged: (name: EnvironmentName): Content =>
    serviceMail(
      name,
      `Your Remit ${name} password was changed`,
      'Your password was changed, and you were signed out in all other browsers.',
      'If this was not you, choose "Forgot your password?" on the sign-in page and reset your password now.',
    ),

  emailCode: (name: EnvironmentName, code: string): Content =>
    serviceMail(
      name,
      `Confirm your email for Remit ${name}`,
      `Your confirmation code is ${code}. Enter it to use this email address for your account.`,
      `The code expires in ${CODE_MINUTES} minutes.`,
      'If you did not request this, you can ignore this email.',
    ),

  emailTaken: (name: EnvironmentName): Content =>
    serviceMail(
      name,
      `You already have a Remit ${name} account`,
      'Someone tried to use this email address for another account. It still belongs to your account.',
      'You don’t need to do anything.',
    ),

  emailChanged: (name: EnvironmentName, email: string): Content =>
    serviceMail(
      name,
      `Your Remit ${name} email address was changed`,
      `The email address of your account is now ${email}. You can no longer sign in with this one.`,
      'If this was not you, contact the operator of this service right away.',
    ),

  oldRecoveryCodes: (name: EnvironmentName): Content =>
    serviceMail(
      name,
      `Make new recovery codes for Remit ${name}`,
      'The operator has replaced the key that protects your recovery codes.',
      'Make new codes on the page "Security". The old ones stop working when the operator removes the old key.',
      'Your authenticator app keeps working. You don’t need to do anything.',
    ),

  recoveryCodesRemoved: (name: EnvironmentName): Content =>
    serviceMail(
      name,
      `Your recovery codes for Remit ${name} no longer work`,
      'The operator has removed the key that protected your recovery codes.',
      'Make new codes on the page "Security". Your authenticator app keeps working.',
    ),

  twoFactorOff: (name: EnvironmentName): Content =>
    serviceMail(
      name,
      `Two-factor authentication was turned off for Remit ${name}`,
      'You can now sign in with only your password.',
      'If this was not you, change your password now and turn two-factor authentication on again.',
    ),
}
