import { useTranslation } from 'react-i18next';

/**
 * The first link of a page. It leaves the address as it is: behind its `#` may be the secret of a transfer.
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
