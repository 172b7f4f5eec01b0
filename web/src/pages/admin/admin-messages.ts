import admin from '../../messages/en/admin.json';
import { messages } from '../../messages/i18n.ts';

// The English of the administration comes with the administration: the first page is for everybody, and small.
messages.addResourceBundle('en', 'translation', { admin }, true);
