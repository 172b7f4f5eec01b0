import { Alert, Button, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { ShareSummary } from '../../../../../client/src/client.ts';
import { toDirectory } from '../../../common/names/drive-paths.ts';
import { CopyButton } from '../../../ui/buttons/copy-button.tsx';
import { toSharePage } from '../addresses.ts';
import { ShareBadges } from '../share-facts.tsx';

/** Shown to the owner who opens their own link. */
export function OwnShare({ share }: { share: ShareSummary }) {
  const { t } = useTranslation();
  const { id, parentPath } = share.file ?? {};
  return (
    <Stack gap="sm">
      <Alert color="blue">{t('shares.own')}</Alert>
      <ShareBadges share={share} />
      <CopyButton text={toSharePage(share.token)} label={t('shares.copyLink')} size="md" />
      {parentPath !== undefined && (
        <Button
          variant="default"
          size="md"
          renderRoot={(props) => (
            <Link {...props} {...toDirectory(parentPath, { drive: undefined, select: id })} />
          )}
        >
          {t('shares.openPlace')}
        </Button>
      )}
      <Button variant="subtle" size="md" renderRoot={(props) => <Link {...props} to="/shared" />}>
        {t('nav.links')}
      </Button>
    </Stack>
  );
}
