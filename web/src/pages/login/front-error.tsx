import { Alert } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/api-error.ts';
import { messageOf } from '../../common/message-of.ts';
import { formatSpan } from '../../messages/from-now.ts';

/** Why somebody was not let in. */
export function FrontError({ error, isLogin = false }: { error: Error; isLogin?: boolean }) {
  const { t } = useTranslation();
  return (
    <Alert color="red" role="alert" icon={<IconAlertCircle aria-hidden />}>
      {text()}
    </Alert>
  );

  function text(): string {
    if (!(error instanceof ApiError)) return messageOf(error);
    const { status, retryAfter } = error;
    if (status === 429 && retryAfter !== undefined) {
      return t('auth.tooMany', { when: formatSpan(retryAfter) });
    }
    // At a login these two say nothing but that, in whatever language the service speaks.
    if (isLogin && status === 401) return t('auth.wrong');
    if (isLogin && status === 403) return t('auth.banned');
    return messageOf(error);
  }
}
