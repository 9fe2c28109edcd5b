// The worker that js/worker.js starts.

import { answerWith } from "./answers.js";
import * as files from "./document-browser.js";

answerWith(files);
