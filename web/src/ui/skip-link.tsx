import { useTranslation } from 'react-i18next';

/**
 * The link that moves the focus past the navigation to the content. The address does not change: its fragment may
 * contain the secret of a transfer.
 */
export function SkipLink() {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/useValidAnchor: it leads to a place on this page.
    <a
      className="skip-link"
      href="#content"
      onClick={(event) => {
        event.preventDefault();
        document.getElementById('content')?.focus();
      }}
    >
      {t('nav.skip')}
    </a>
  );
}
