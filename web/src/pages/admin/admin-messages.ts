import admin from '../../messages/en/admin.json';
import { messages } from '../../messages/i18n.ts';

// The English texts of the administration are loaded with it, because the first page must be small.
messages.addResourceBundle('en', 'translation', { admin }, true);
