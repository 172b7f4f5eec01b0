import connect from '../../messages/en/connect.json';
import { messages } from '../../messages/i18n.ts';

// The English texts of this page are loaded with it, because the first page must be small.
messages.addResourceBundle('en', 'translation', { connect }, true);
