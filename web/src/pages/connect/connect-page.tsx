import { Accordion, Alert, Badge, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { fetchAnswer } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';
import { useUser } from '../../api/use-session.ts';
import { Page } from '../../ui/page/page.tsx';
import { SystemPanel } from './system-panel.tsx';
import { deviceOf, orderSystems } from './systems.ts';
import { webdavAddress } from './webdav-address.ts';

/** How to use the drive on a computer or a phone: a new app password, and the steps for each app. */
export function ConnectPage() {
  const { t } = useTranslation();
  const { username } = useUser();
  const wanted = useLocation({ select: ({ hash }) => hash });
  const { data: isOn = true } = useQuery({ queryKey: KEYS.webdav(), queryFn: offersWebdav });
  const device = deviceOf(navigator.userAgent, navigator.maxTouchPoints);
  const systems = orderSystems(device, wanted);
  return (
    <Page title={t('nav.connect')} width="form">
      {!isOn && (
        <Alert color="orange" role="alert">
          {t('connect.off')}
        </Alert>
      )}
      {!window.isSecureContext && <Alert color="orange">{t('connect.unencrypted')}</Alert>}
      <Text>{t('connect.intro')}</Text>
      {/* The key opens the first one again when the address asks for other devices. */}
      <Accordion key={wanted} order={2} multiple defaultValue={[systems[0]?.name ?? '']}>
        {systems.map((system) => (
          <Accordion.Item key={system.name} value={system.name}>
            <Accordion.Control mih={48}>
              <Group gap="xs" component="span">
                {t(`connect.systems.${system.name}`)}
                {system.name === device.system && (
                  <Badge component="span" variant="default" size="sm">
                    {t('connect.thisDevice')}
                  </Badge>
                )}
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              <SystemPanel
                system={system}
                access={{ address: webdavAddress(), username }}
                device={device}
                isOn={isOn}
              />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Page>
  );
}

/** Whether the service offers WebDAV. The response for its root says so (RFC 4918, section 10.1). */
async function offersWebdav({ signal }: { readonly signal: AbortSignal }): Promise<boolean> {
  const response = await fetchAnswer('/', { method: 'OPTIONS', signal });
  return response.headers.has('dav');
}
