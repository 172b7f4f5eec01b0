import { Alert, Button, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { ShareSummary } from '../../../../../client/src/client.ts';
import { CopyButton } from '../../../ui/buttons/copy-button.tsx';
import { toPlace, toSharePage } from '../addresses.ts';
import { PlaceLink } from '../place-link.tsx';
import { ShareBadges } from '../share-facts.tsx';

/** Shown to the owner who opens their own link. */
export function OwnShare({ share }: { share: ShareSummary }) {
  const { t } = useTranslation();
  const { file } = share;
  return (
    <Stack gap="sm">
      <Alert color="blue">{t('shares.own')}</Alert>
      <ShareBadges share={share} />
      <CopyButton text={toSharePage(share.token)} label={t('shares.copyLink')} size="md" />
      {file?.parentPath !== undefined && (
        <Button
          variant="default"
          size="md"
          renderRoot={(props) => <PlaceLink {...props} href={toPlace(file.parentPath ?? '/', file.id)} />}
        >
          {t('shares.openPlace')}
        </Button>
      )}
      <Button variant="subtle" size="md" renderRoot={(props) => <Link {...props} to="/shared" />}>
        {t('nav.shared')}
      </Button>
    </Stack>
  );
}
