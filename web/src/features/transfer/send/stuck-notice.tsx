import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { IconCloudUpload, IconInfoCircle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../api/use-session.ts';
import { NoWayNotice } from '../progress/no-way-notice.tsx';
import { notifyFailure } from '../progress/notify-failure.ts';
import { chooseFallback } from '../session/fallback-choice.ts';
import type { Sending } from '../session/sending.ts';
import type { TransferState } from '../session/state/transfer-state.ts';
import { LogInHint } from './log-in-hint.tsx';

interface StuckProps {
  readonly sending: Sending;
  readonly state: TransferState;
}

/** Explains what the sender can do when there is no direct connection. The pages keep trying to connect. */
export function StuckNotice({ sending, state }: StuckProps) {
  const isLoggedIn = useSession() !== undefined;
  if (!isLoggedIn) return <VisitorNotice hasRelay={state.hasRelay === true} />;
  return state.refusesStoring ? <StoringRefused /> : <StoreQuestion sending={sending} state={state} />;
}

/** Asks once per transfer whether to store the files, unless the user has decided for all transfers. */
function StoreQuestion({ sending, state }: StuckProps) {
  const { t } = useTranslation();
  const [isForGood, setForGood] = useState(false);
  const startStoring = useMutation({
    mutationFn: () => {
      if (isForGood) chooseFallback('store');
      return sending.startStoring();
    },
    onError: notifyFailure,
  });
  return (
    <Alert color="yellow" icon={<IconInfoCircle aria-hidden />}>
      <Stack gap="sm" align="flex-start">
        <Text fw={600}>{t('transfer.storeQuestion')}</Text>
        <Text size="sm">{t('transfer.storeQuestionHint')}</Text>
        <Checkbox
          label={t('transfer.withoutAsking')}
          checked={isForGood}
          onChange={({ currentTarget: { checked } }) => setForGood(checked)}
        />
        <Group gap="xs">
          <Button
            h={40}
            leftSection={<IconCloudUpload size={18} aria-hidden />}
            loading={state.isStoring}
            onClick={() => startStoring.mutate()}
          >
            {t('transfer.goOnStored')}
          </Button>
          <Button h={40} variant="default" onClick={() => sending.refuseStoring()}>
            {t('transfer.keepTrying')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

function StoringRefused() {
  const { t } = useTranslation();
  return (
    <Alert color="yellow" icon={<IconInfoCircle aria-hidden />}>
      {t('transfer.staysDirect')}
    </Alert>
  );
}

function VisitorNotice({ hasRelay }: { readonly hasRelay: boolean }) {
  const { t } = useTranslation();
  return (
    <Stack gap="sm">
      <NoWayNotice hasRelay={hasRelay} firstStep={t('transfer.doLogIn')} />
      <LogInHint />
    </Stack>
  );
}
