import photos from '../../messages/en/photos.json';
import { messages } from '../../messages/i18n.ts';

// The English texts of this page are loaded with it, because the first page must be small.
messages.addResourceBundle('en', 'translation', { photos }, true);
