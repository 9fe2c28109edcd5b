// The worker for js/worker.js with the module in the JavaScript, for bundlers that make one script of it.

import { answerWith } from "./answers.js";
import * as files from "./inline-document.js";

answerWith(files);
