import { useTranslation } from 'react-i18next';

/**
 * A link that moves the focus past the navigation to the content. It leaves the URL unchanged, because the
 * fragment may contain the secret of a transfer.
 */
export function SkipLink() {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/useValidAnchor: it leads to an element of this page.
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
