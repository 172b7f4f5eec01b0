/**
 * How the names of screenshots and screen recordings begin on common systems, in lower case. A client may leave
 * these pictures out of the timeline.
 */
export const SCREENSHOT_BEGINNINGS: readonly string[] = [
  ...['screenshot', 'screen shot', 'screen recording', 'screenrecord', 'screen_record'],
  ...['bildschirmfoto', 'bildschirmaufnahme'],
  ...["capture d'écran", 'capture d’écran', 'enregistrement de l’écran'],
  ...['captura de pantalla', 'grabación de pantalla', 'captura de tela', 'captura de ecrã'],
  ...['schermata', 'schermafbeelding', 'skärmavbild', 'skjermbilde', 'skærmbillede', 'zrzut ekranu'],
  ...['ekran görüntüsü', 'ekran resmi', 'снимок экрана', 'знімок екрана'],
  ...['截屏', '截图', '屏幕截图', '屏幕快照', '屏幕录制', '录屏', '螢幕截圖', '螢幕快照', '螢幕錄影'],
  ...['スクリーンショット', '画面収録', '스크린샷'],
];
