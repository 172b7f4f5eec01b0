import { useUser } from '../api/use-session.ts';
import { PushWatch } from '../features/notifications/push-watch.tsx';
import { TaskWatch } from '../features/tasks/task-watch.tsx';
import { GeneratedPasswordNotice } from './generated-password-notice.tsx';
import { UnverifiedEmailNotice } from './unverified-email-notice.tsx';

/** What is loaded after the page, because it shows nothing at first. */
export function IdleParts() {
  const { id, role, emailVerified } = useUser();
  return (
    <>
      {role === 'ADMIN' && <GeneratedPasswordNotice />}
      {!emailVerified && <UnverifiedEmailNotice key={id} />}
      <TaskWatch />
      <PushWatch key={`push-${id}`} />
    </>
  );
}
