// Small pages in one module: each module adds its name and its imports to the scripts of the first page.
export { ForgotPasswordPage } from './forgot-password-page.tsx';
export { NewPasswordPage } from './new-password-page.tsx';
export { RegisterPage } from './register-page.tsx';
export { ResetPasswordPage } from './reset-password-page.tsx';
export { VerifyEmailPage } from './verify-email-page.tsx';
