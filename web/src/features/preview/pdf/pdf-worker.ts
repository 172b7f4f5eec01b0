// Reads PDFs in a worker. Its content security policy lets it load our own scripts and nothing else.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs';
