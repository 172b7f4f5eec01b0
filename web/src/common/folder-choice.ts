/** Whether the browser lets users choose a folder. */
export const CAN_PICK_FOLDERS = 'webkitdirectory' in HTMLInputElement.prototype;
