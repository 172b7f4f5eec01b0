import { Accordion, Alert, Anchor, Code, Group, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { fetchAnswer } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';
import { useUser } from '../../api/use-session.ts';
import { CopyButton } from '../../ui/buttons/copy-button.tsx';
import { Page } from '../../ui/page/page.tsx';
import { QrCode } from '../../ui/qr/qr-code.tsx';
import { type Access, PROGRAMS, usualProgram } from './programs.ts';

/** How to connect programs over WebDAV: the address of this server, and the steps for each program. */
export function ConnectPage() {
  const { t } = useTranslation();
  const { username } = useUser();
  const { data: isOn = true } = useQuery({ queryKey: KEYS.webdav(), queryFn: offersWebdav });
  const access: Access = { address: new URL('/dav/', location.origin).href, username };
  return (
    <Page title={t('nav.connect')} width="form">
      {!isOn && (
        <Alert color="orange" role="alert">
          {t('connect.off')}
        </Alert>
      )}
      <Paper withBorder p={{ base: 'md', sm: 'lg' }} component="section">
        <AccessFacts access={access} />
      </Paper>
      <Accordion variant="separated" order={2} multiple defaultValue={[usualProgram(navigator.userAgent)]}>
        {PROGRAMS.map(({ name, areAlternatives = false, steps }) => (
          <Accordion.Item key={name} value={name}>
            <Accordion.Control mih={48}>{t(`connect.programs.${name}`)}</Accordion.Control>
            <Accordion.Panel>
              <Stack component={areAlternatives ? 'ul' : 'ol'} gap="md" m={0} pl="lg">
                {steps.map(({ text, entered, hasQr = false }) => (
                  <li key={text}>
                    <Text>{t(text, { username })}</Text>
                    {entered !== undefined && <Entered text={entered(access)} hasQr={hasQr} />}
                  </li>
                ))}
              </Stack>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Page>
  );
}

/** The values that every program asks for. */
function AccessFacts({ access: { address, username } }: { readonly access: Access }) {
  const { t } = useTranslation();
  return (
    <Stack gap="md">
      <Text>{t('connect.intro')}</Text>
      <div>
        <Text fw={600}>{t('connect.address')}</Text>
        <Entered text={address} />
      </div>
      <div>
        <Text fw={600}>{t('connect.username')}</Text>
        <Entered text={username} />
      </div>
      <div>
        <Text fw={600}>{t('connect.password')}</Text>
        <Text>
          {t('connect.passwordHint')}{' '}
          <Anchor component={Link} to="/profile" hash="app-passwords" underline="always">
            {t('connect.createAppPassword')}
          </Anchor>
        </Text>
      </div>
      {!window.isSecureContext && <Alert color="orange">{t('connect.unencrypted')}</Alert>}
    </Stack>
  );
}

/** Whether the service offers WebDAV. The response for its root says so (RFC 4918, section 10.1). */
async function offersWebdav({ signal }: { readonly signal: AbortSignal }): Promise<boolean> {
  const response = await fetchAnswer('/', { method: 'OPTIONS', signal });
  return response.headers.has('dav');
}

/** A text to enter in a program, with a copy button. */
function Entered({ text, hasQr = false }: { readonly text: string; readonly hasQr?: boolean }) {
  const { t } = useTranslation();
  const label = t('connect.copy');
  return (
    <Stack gap="sm" mt={6} align="flex-start">
      <Group gap="xs" wrap="nowrap" align="flex-start" w="100%">
        <Code
          block
          flex={1}
          miw={0}
          fz="sm"
          mih="var(--tap-size)"
          style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
        >
          {text}
        </Code>
        <CopyButton
          text={text}
          label={label}
          describedAs={`${label}: ${text}`}
          mih="var(--tap-size)"
          flex="none"
        />
      </Group>
      {hasQr && <QrCode text={text} label={t('connect.phoneQr')} width={176} />}
    </Stack>
  );
}
