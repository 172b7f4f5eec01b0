import { Paper, Stack, Title } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/use-session.ts';
import { ImportCard } from '../../features/transfer/importing/import-card.tsx';
import { ReceiveCard } from '../../features/transfer/receive/receive-card.tsx';
import { ReceivePanel } from '../../features/transfer/receive/receive-panel.tsx';
import { FileChoice } from '../../features/transfer/send/file-choice.tsx';
import { OwnSessions } from '../../features/transfer/send/own-sessions.tsx';
import { SendCard } from '../../features/transfer/send/send-card.tsx';
import { useCurrentTransfers } from '../../features/transfer/session/use-transfer.ts';
import classes from '../../features/transfer/transfer.module.css';
import { Page } from '../../ui/page/page.tsx';

/** Sends and receives by code. The page is public. Logged-in users see it in the frame of the drive. */
export function TransferPage() {
  const { t } = useTranslation();
  const { code } = useParams({ from: '/transfer-frame/transfer/{-$code}' });
  const { sending, receiving } = useCurrentTransfers();
  const isLoggedIn = useSession() !== undefined;
  // With a code in the address, the page only receives. A running transfer is shown on its own.
  const maySend = sending === undefined && receiving === undefined && code === undefined;
  const mayReceive = receiving === undefined && (sending === undefined || code !== undefined);
  return (
    <Page title={t('transfer.title')} subtitle={t('transfer.subtitle')} width="reading">
      <div className={classes.sides} data-two={maySend || undefined}>
        {sending !== undefined && <SendCard sending={sending} />}
        {maySend && (
          <Paper withBorder p={{ base: 'md', sm: 'lg' }} component="section" aria-labelledby="send">
            <Stack gap="md">
              <Title order={2} size="h4" id="send">
                {t('transfer.send')}
              </Title>
              <FileChoice />
            </Stack>
          </Paper>
        )}
        {receiving !== undefined && <ReceiveCard receiving={receiving} />}
        {mayReceive && <ReceivePanel code={code} />}
      </div>
      <ImportCard />
      {isLoggedIn && maySend && <OwnSessions />}
    </Page>
  );
}
