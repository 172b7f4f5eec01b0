import { useTranslation } from 'react-i18next';

/** The texts of the editor library in the language of the page, by their English originals. */
export function useEditorPhrases(): Readonly<Record<string, string>> {
  const { t } = useTranslation();
  return {
    Find: t('editor.find'),
    Replace: t('editor.replaceWith'),
    next: t('editor.next'),
    previous: t('editor.previous'),
    all: t('editor.selectAll'),
    'match case': t('editor.matchCase'),
    regexp: t('editor.regexp'),
    'by word': t('editor.byWord'),
    replace: t('editor.replace'),
    'replace all': t('editor.replaceAll'),
    close: t('editor.closePanel'),
    'current match': t('editor.currentMatch'),
    'on line': t('editor.onLine'),
    'replaced match on line $': t('editor.replacedOnLine'),
    'replaced $ matches': t('editor.replacedMatches'),
    'Go to line': t('editor.goToLine'),
    go: t('editor.go'),
    'Control character': t('editor.controlCharacter'),
    'Selection deleted': t('editor.selectionDeleted'),
  };
}
