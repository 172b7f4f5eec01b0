// Reads PDFs in a worker. The policy of its response lets it load scripts of ours, and nothing else.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs';
