import folderLinks from '../../../messages/en/folderLinks.json';
import { messages } from '../../../messages/i18n.ts';

// The English texts of folder links are loaded with them, because the first page must be small.
messages.addResourceBundle('en', 'translation', { folderLinks }, true);
