// All texts of the page, in each language.

/** Each text in English and German. `{name}` is a given value. `{count|key|keys}` is one of two forms, by a given number. */
const TEXTS = {
  // The list of open files.
  "files.label": ["Open files", "Offene Dateien"],
  "files.close": ["Close {name}", "{name} schließen"],
  "files.changed": ["changed", "geändert"],

  // The bar at the top, and its menus.
  "bar.skip": ["Go to the values", "Zu den Werten"],
  "bar.open": ["Open…", "Öffnen…"],
  "bar.close": ["Close this save", "Spielstand schließen"],
  "bar.undo": ["Undo", "Rückgängig"],
  "bar.redo": ["Redo", "Wiederholen"],
  "bar.more": ["More", "Mehr"],
  "bar.start": ["Where games keep saves", "Wo Spielstände liegen"],
  "bar.details": ["Details", "Details"],
  "bar.theme": ["Colours", "Farben"],
  "bar.language": ["Language", "Sprache"],
  "theme.system": ["as the system", "wie das System"],
  "theme.light": ["light", "hell"],
  "theme.dark": ["dark", "dunkel"],
  "save.save": ["Save", "Speichern"],
  "save.more": ["More ways to save", "Anders speichern"],
  "save.copy": ["Download a copy", "Kopie herunterladen"],
  "save.original": ["Get the file as it was", "Datei, wie sie war"],
  "save.unsaved": ["changed, not saved", "geändert, nicht gespeichert"],

  // The start screen.
  "start.back": ["Back to the open file", "Zurück zur offenen Datei"],
  "start.drop": ["Drop saves here to open them", "Spielstände hier ablegen"],
  "start.opening": ["Opening {name}…", "{name} wird geöffnet…"],
  "welcome.title": ["Change a save of a Godot game", "Ändere den Spielstand eines Godot-Spiels"],
  "welcome.what": [
    "A save is the file in which a game keeps your progress: level, money, items. Drop one on this page, or choose it. Games made with Godot and Pandemonium work.",
    "Ein Spielstand ist die Datei, in der ein Spiel deinen Fortschritt ablegt: Stufe, Geld, Gegenstände. Zieh ihn auf diese Seite oder wähle ihn aus. Spiele mit Godot und Pandemonium gehen.",
  ],
  "welcome.choose": ["Choose a save…", "Spielstand wählen…"],
  "welcome.folder": ["Choose a folder…", "Ordner wählen…"],
  "welcome.sample": ["Try the sample", "Beispiel ausprobieren"],
  "welcome.private": ["No file leaves this browser.", "Keine Datei verlässt diesen Browser."],
  "welcome.recent": ["Opened here before: {names}", "Hier schon geöffnet: {names}"],
  "careful.title": ["Before you change a save", "Bevor du einen Spielstand änderst"],
  "careful.copy": ["Keep a copy of the file.", "Heb eine Kopie der Datei auf."],
  "careful.closed": ["Close the game first: it may write its save again when it ends.", "Beende erst das Spiel: Es kann seinen Spielstand am Ende noch einmal schreiben."],
  "careful.sum": [
    "Some games check a sum of the file and refuse a changed save. This page cannot know that sum. Then put your copy back.",
    "Manche Spiele prüfen eine Summe der Datei und lehnen einen geänderten Spielstand ab. Diese Seite kennt die Summe nicht. Nimm dann wieder deine Kopie.",
  ],
  "careful.cloud": [
    "Steam Cloud may bring the old file back. Turn it off for this game before the change.",
    "Steam Cloud kann die alte Datei zurückbringen. Schalte sie für das Spiel vor der Änderung aus.",
  ],
  "saves.title": ["Where games keep their saves", "Wo Spiele ihre Spielstände ablegen"],
  "saves.intro": [
    "Most Godot games use one of these folders. GAME is the name of the game, or of its maker and the game.",
    "Die meisten Godot-Spiele nutzen einen dieser Ordner. GAME ist der Name des Spiels, oder der des Studios und des Spiels.",
  ],
  "saves.android": ["Android, iPhone", "Android, iPhone"],
  "saves.mobile": ["In a folder that only the game can read. Look for an export in the game.", "In einem Ordner, den nur das Spiel lesen kann. Such im Spiel nach einem Export."],
  "saves.web": ["Web", "Web"],
  "saves.browser": ["In the storage of the browser (IndexedDB), not in a file.", "Im Speicher des Browsers (IndexedDB), nicht in einer Datei."],
  "saves.pandemonium": [
    "Pandemonium games use the same places, with a folder of Pandemonium instead of “Godot”.",
    "Pandemonium-Spiele nutzen dieselben Orte, mit einem Ordner von Pandemonium statt „Godot“.",
  ],
  "saves.names": [
    "Saves often end in .save, .sav, .dat or .bin. A file that opens in a text editor is not for this page.",
    "Spielstände enden oft auf .save, .sav, .dat oder .bin. Eine Datei, die du in einem Texteditor lesen kannst, ist nichts für diese Seite.",
  ],
  "tries.title": ["A sample. Three things to try:", "Ein Beispiel. Probier dreierlei:"],
  "tries.level": ["1. Change the level", "1. Stufe ändern"],
  "tries.item": ["2. Add an item", "2. Gegenstand dazu"],
  "tries.compare": ["3. Compare with the save as it was", "3. Vergleiche mit vorher"],
  "tries.close": ["Close this list", "Liste schließen"],
  "lock.title": ["This save is encrypted", "Dieser Spielstand ist verschlüsselt"],
  "lock.password": ["Password", "Passwort"],
  "lock.isKey": ["It is a key of 64 hex digits", "Es ist ein Schlüssel aus 64 Hexziffern"],
  "lock.kept": ["The password stays in this tab, until you close it.", "Das Passwort bleibt in diesem Tab, bis du ihn schließt."],
  "lock.unlock": ["Unlock", "Entsperren"],
  "drafts.title": ["Kept in this browser", "In diesem Browser aufgehoben"],
  "folder.title": ["Files", "Dateien"],
  "folder.close": ["Close the list", "Liste schließen"],
  "folder.search": ["Search all files", "Alle Dateien durchsuchen"],
  "folder.find": ["Search", "Suchen"],
  "folder.check": ["Check all", "Alle prüfen"],
  "folder.more": ["More files", "Mehr Dateien"],

  // The panes, and the bar at the foot on a phone.
  "work.title": ["The open save", "Der offene Spielstand"],
  "panes.values": ["Values", "Werte"],
  "panes.bytes": ["Bytes", "Bytes"],
  "panes.tools": ["Tools", "Werkzeuge"],
  "panes.changes": ["Changes", "Änderungen"],
  "panes.problems": ["Problems", "Fehler"],
  "panes.compare": ["Compare", "Vergleich"],
  "panes.export": ["Export", "Export"],
  "foot.label": ["Panes", "Bereiche"],
  "foot.find": ["Find", "Suche"],
  "side.close": ["Close the tools", "Werkzeuge schließen"],
  "find.label": ["Search this save", "Diesen Spielstand durchsuchen"],
  "find.hint": ["Search keys, texts, numbers, or a path such as items[?hp<10]", "Suche Schlüssel, Texte, Zahlen oder einen Pfad wie items[?hp<10]"],
  "find.clear": ["Clear the search", "Suche leeren"],
  "find.previous": ["Previous hit", "Voriger Treffer"],
  "find.next": ["Next hit", "Nächster Treffer"],
  "crumbs.label": ["Place of the value", "Ort des Werts"],
  "crumbs.copy": ["Copy path", "Pfad kopieren"],
  "crumbs.copied": ["Copied", "Kopiert"],
  "crumbs.whole": ["save", "Spielstand"],
  "crumbs.frame": ["part {number}", "Teil {number}"],
  "value.whole": ["the whole save", "der ganze Spielstand"],

  // The form below the tree.
  "rows.edit": ["Edit", "Ändern"],
  "rows.insert": ["Add", "Hinzufügen"],
  "rows.rename": ["Rename", "Umbenennen"],
  "rows.delete": ["Delete", "Löschen"],

  // The bytes.
  "bytes.legend": ["Colours of the bytes", "Farben der Bytes"],
  "bytes.header": ["header", "Kopf"],
  "bytes.length": ["length", "Länge"],
  "bytes.text": ["text", "Text"],
  "bytes.number": ["number", "Zahl"],
  "bytes.padding": ["padding", "Füllung"],
  "bytes.close": ["Close the bytes", "Bytes schließen"],
  "bytes.none": ["No bytes.", "Keine Bytes."],
  "bytes.at": ["byte {number}", "Byte {number}"],
  "bytes.is": ["is {value}", "ist {value}"],
  "bytes.part": ["{part} ({count} {count|byte|bytes} at {start})", "{part} ({count} {count|Byte|Bytes} ab {start})"],
  "bytes.nothing": ["no part of a value", "kein Teil eines Werts"],
  "bytes.count": ["{count} {count|byte|bytes}", "{count} {count|Byte|Bytes}"],

  // Changes, problems.
  "changes.earlier": ["Earlier changes", "Frühere Änderungen"],
  "problems.check": ["Check the whole save", "Ganzen Spielstand prüfen"],
  "problems.salvage": ["Salvage…", "Retten…"],
  "problems.unchecked": ["The save is not checked yet.", "Der Spielstand ist noch nicht geprüft."],
  "problems.checking": ["Checking…", "Wird geprüft…"],
  "problems.none": ["No problems in {count} {count|value|values}.", "Keine Fehler in {count} {count|Wert|Werten}."],
  "problems.some": ["{problems} {problems|problem|problems}; {count} {count|value|values} read.", "{problems} {problems|Fehler|Fehler}; {count} {count|Wert|Werte} gelesen."],
  "problems.first": ["{problems} problems, the first {shown} shown; {count} {count|value|values} read.", "{problems} Fehler, die ersten {shown} sind hier; {count} {count|Wert|Werte} gelesen."],
  "problems.byte": ["byte {number}", "Byte {number}"],
  "salvage.reading": ["Reading what is sound…", "Lese, was heil ist…"],
  "salvage.title": ["What is left", "Was übrig ist"],
  "salvage.whole": ["{values} {values|value|values} in {size} {size|byte|bytes}; nothing is lost.", "{values} {values|Wert|Werte} in {size} {size|Byte|Bytes}; nichts ist verloren."],
  "salvage.lost": [
    "{values} {values|value|values} in {size} {size|byte|bytes}; {lost} {lost|byte|bytes} lost in {count} {count|place|places}.",
    "{values} {values|Wert|Werte} in {size} {size|Byte|Bytes}; {lost} {lost|Byte|Bytes} an {count} {count|Stelle|Stellen} verloren.",
  ],
  "salvage.download": ["Download what is left", "Rest herunterladen"],
  "salvage.open": ["Open it", "Öffnen"],
  "salvage.hole": ["bytes {start} to {end}", "Bytes {start} bis {end}"],

  // The comparison.
  "compare.with": ["Compare with", "Vergleichen mit"],
  "compare.asItWas": ["this save as it was", "diesem Spielstand, wie er war"],
  "compare.another": ["another file…", "einer anderen Datei…"],
  "compare.other": ["The other file", "Die andere Datei"],
  "compare.password": ["Its password, if it has one", "Ihr Passwort, falls sie eins hat"],
  "compare.compare": ["Compare", "Vergleichen"],
  "compare.again": ["The save was changed. Compare again.", "Der Spielstand wurde geändert. Vergleiche noch einmal."],
  "compare.choose": ["Choose the other file first.", "Wähle erst die andere Datei."],
  "compare.comparing": ["Comparing…", "Wird verglichen…"],
  "compare.locked": ["{name} is encrypted: its password is needed.", "{name} ist verschlüsselt: Das Passwort fehlt."],
  "compare.same": ["The values are the same.", "Die Werte sind gleich."],
  "compare.sum": ["{changed} changed, {added} added, {removed} removed.", "{changed} geändert, {added} dazu, {removed} weg."],
  "compare.order": ["{count} in another order.", "{count} in anderer Reihenfolge."],
  "compare.first": ["The first {count} are shown.", "Die ersten {count} sind hier."],
  "compare.there": ["there: {value}", "dort: {value}"],
  "compare.here": ["here: {value}", "hier: {value}"],
  "compare.anotherOrder": ["another order", "andere Reihenfolge"],
  "compare.offer": ["Two files are open. Compare {one} with {other}?", "Zwei Dateien sind offen. {one} mit {other} vergleichen?"],
  "compare.no": ["No", "Nein"],

  // The export.
  "export.text": ["As text", "Als Text"],
  "export.form": ["Form", "Form"],
  "export.literals": ["as scripts of the engine write it", "wie Skripte der Engine ihn schreiben"],
  "export.json": ["JSON", "JSON"],
  "export.native": ["JSON with kinds (JSON.from_native)", "JSON mit Arten (JSON.from_native)"],
  "export.exact": ["JSON, every bit", "JSON, jedes Bit"],
  "export.selected": ["Only the selected value", "Nur der gewählte Wert"],
  "export.saveText": ["Download the text", "Text herunterladen"],
  "export.details": ["Engine, compression, password", "Engine, Kompression, Passwort"],
  "export.engine": ["For another engine", "Für eine andere Engine"],
  "export.to": ["Convert for", "Umwandeln für"],
  "export.convert": ["Convert", "Umwandeln"],
  "export.anyway": ["Convert with losses", "Mit Verlust umwandeln"],
  "export.wrapping": ["Compression and password", "Kompression und Passwort"],
  "export.now": ["Now: {layers}.", "Jetzt: {layers}."],
  "export.plain": ["Now: neither.", "Jetzt: weder noch."],
  "export.compression": ["Compression", "Kompression"],
  "export.encryption": ["Encryption", "Verschlüsselung"],
  "export.asItIs": ["as it is", "wie sie ist"],
  "export.none": ["none", "keine"],
  "export.wrap": ["Download wrapped", "Verpackt herunterladen"],
  "export.unwrap": ["Download plain bytes", "Reine Bytes herunterladen"],
  "export.same": ["Converted for {to}; nothing is lost.", "Umgewandelt für {to}; nichts geht verloren."],
  "export.replaced": ["{count} {count|value was|values were} replaced.", "{count} {count|Wert wurde|Werte wurden} ersetzt."],
  "export.cannot": ["{count} {count|value|values} cannot be the same in {to}.", "{count} {count|Wert kann|Werte können} in {to} nicht gleich bleiben."],
  "export.working": ["Working…", "Moment…"],
  "export.done": ["{name}: {count} {count|byte|bytes}.", "{name}: {count} {count|Byte|Bytes}."],

  // How the bytes are read.
  "reading.title": ["Which engine wrote this save?", "Welche Engine hat diesen Spielstand geschrieben?"],
  "reading.written": ["written by {engine}", "geschrieben von {engine}"],
  "reading.perhaps": ["perhaps written by {engine}", "vielleicht geschrieben von {engine}"],
  "reading.others": ["perhaps written by {engine} ({count} other {count|engine fits|engines fit})", "vielleicht geschrieben von {engine} ({count} andere {count|Engine passt|Engines passen})"],
  "reading.notice": ["Several engines may have written this save. Choose yours before you change it.", "Mehrere Engines können diesen Spielstand geschrieben haben. Wähle deine, bevor du etwas änderst."],
  "reading.isChanged": ["Save or undo your changes first: their places would mean other values.", "Speichere oder widerrufe erst deine Änderungen: Ihre Orte wären dann andere Werte."],
  "reading.see": ["Choose the engine", "Engine wählen"],
  "reading.certain": ["The bytes show it for certain, or you chose it.", "Die Bytes zeigen es sicher, oder du hast es gewählt."],
  "reading.guess": ["This is a guess.", "Das ist geraten."],
  "reading.looking": ["Looking…", "Wird gesucht…"],
  "reading.nothing": ["Nothing fits.", "Nichts passt."],
  "reading.all": ["all", "alles"],
  "reading.part": ["in part", "zum Teil"],
  "reading.candidates": ["What fits", "Was passt"],
  "reading.dialect": ["Engine", "Engine"],
  "reading.framing": ["Framing", "Rahmen"],
  "reading.skip": ["Bytes to skip", "Bytes überspringen"],
  "reading.read": ["Read it so", "So lesen"],
  "reading.cancel": ["Cancel", "Abbrechen"],
  "framing.bare": ["one value (bare)", "ein Wert (bare)"],
  "framing.frames": ["store_var (frames)", "store_var (frames)"],
  "framing.framesBe": ["store_var, big endian (frames-be)", "store_var, Big Endian (frames-be)"],
  "framing.settings": ["project.binary (settings)", "project.binary (settings)"],
  "framing.sequence": ["values without lengths (sequence)", "Werte ohne Längen (sequence)"],
  "details.title": ["Details of the file", "Details der Datei"],
  "details.file": ["File", "Datei"],
  "details.dialect": ["Dialect", "Dialekt"],
  "details.layers": ["Layers", "Schichten"],
  "details.plain": ["none: plain bytes", "keine: reine Bytes"],
  "details.size": ["Plain bytes", "Reine Bytes"],
  "details.skipped": ["Skipped bytes", "Übersprungene Bytes"],
  "details.notes": ["Notes", "Hinweise"],
  "details.close": ["Close", "Schließen"],
  "details.reading": ["Choose the engine…", "Engine wählen…"],
  "error.at": ["at {path}", "bei {path}"],

  // Saving, drafts, several files.
  "files.closeUnsaved": ["{name} has changes that were not saved. Close it without them?", "{name} hat ungespeicherte Änderungen. Ohne sie schließen?"],
  "save.download": ["Download", "Herunterladen"],
  "save.done": ["{name} is saved. The version before is kept on the start page.", "{name} ist gespeichert. Die Version davor liegt auf der Startseite."],
  "save.doneAlone": ["{name} is saved. The version before is not kept.", "{name} ist gespeichert. Die Version davor ist nicht aufgehoben."],
  "save.denied": ["The browser may not write {name}.", "Der Browser darf {name} nicht schreiben."],
  "save.noVersion": ["This browser cannot keep {name} as it was. Replace it all the same?", "Dieser Browser kann {name}, wie es war, nicht aufheben. Trotzdem ersetzen?"],
  "save.notReplaced": ["{name} is not replaced.", "{name} ist nicht ersetzt."],
  "save.instead": ["Download a copy of {name} instead?", "Stattdessen eine Kopie von {name} herunterladen?"],
  "save.downloaded": ["{name} went to your downloads. If it did not arrive: a copy is on the start page.", "{name} ging zu deinen Downloads. Kam es nicht an: Eine Kopie liegt auf der Startseite."],
  "save.noCopy": [
    "{name} went to your downloads. It still counts as changed: this browser keeps no copy, in case it did not arrive.",
    "{name} ging zu deinen Downloads. Es gilt noch als geändert: Dieser Browser behält keine Kopie für den Fall, dass es nicht ankam.",
  ],
  "save.isNewer": ["Another program has changed {name} since you opened it. Replace it all the same?", "Ein anderes Programm hat {name} inzwischen geändert. Trotzdem ersetzen?"],
  "drafts.draft": ["{name}: {count} {count|change|changes}, {time}", "{name}: {count} {count|Änderung|Änderungen}, {time}"],
  "drafts.version": ["{name} as it was before you saved it, {time}", "{name}, wie es vor dem Speichern war, {time}"],
  "drafts.copy": ["{name} as you downloaded it, {time}", "{name}, wie du es heruntergeladen hast, {time}"],
  "drafts.restore": ["Bring it back", "Zurückholen"],
  "drafts.discard": ["Discard", "Verwerfen"],
  "drafts.sure": ["Discard the changes of {name}?", "Die Änderungen von {name} verwerfen?"],
  "drafts.download": ["Download", "Herunterladen"],
  "drafts.remove": ["Forget", "Vergessen"],
  "drafts.none": ["This browser keeps no drafts: save before you close the page.", "Dieser Browser behält keine Entwürfe: Speichere, bevor du die Seite schließt."],
  "start.notOpened": ["{name} was not opened", "{name} wurde nicht geöffnet"],
  "start.lenient": ["Open what can be read", "Öffnen, was lesbar ist"],
  "start.otherPassword": ["Try another password", "Anderes Passwort probieren"],
  "start.anyway": ["Read it so anyway", "Trotzdem so lesen"],
  "start.openAgain": ["Open {name} again", "{name} noch einmal öffnen"],
  "start.stopped": ["The reader stopped", "Das Lesen wurde abgebrochen"],
  "start.startedAgain": ["It was started again. Your changes come back when you open the file again.", "Es läuft wieder. Deine Änderungen kommen zurück, wenn du die Datei noch einmal öffnest."],
  "start.notStarted": ["The reader could not be started", "Das Lesen konnte nicht beginnen"],
  "start.missingModule": ["The module of the package may be missing: it is built into dist/.", "Das Modul des Pakets fehlt vielleicht: Es wird nach dist/ gebaut."],
  "start.key": ["A key has 64 hex digits.", "Ein Schlüssel hat 64 Hexziffern."],
  "changes.none": ["Nothing is changed yet. Choose a value and press Enter.", "Noch nichts geändert. Wähle einen Wert und drücke Enter."],
  "changes.some": ["{count} {count|change|changes}. All other bytes are as they were.", "{count} {count|Änderung|Änderungen}. Alle anderen Bytes sind wie zuvor."],
  "changes.before": ["before: {value}", "vorher: {value}"],
  "changes.after": ["after: {value}", "nachher: {value}"],
  "changes.gone": ["This value is no longer in the save.", "Diesen Wert gibt es im Spielstand nicht mehr."],
  "folder.reading": ["Reading the list…", "Liste wird gelesen…"],
  "folder.none": ["There are no files.", "Es gibt keine Dateien."],
  "folder.looked": ["{done} of {count} files, {wrong} with errors", "{done} von {count} Dateien, {wrong} mit Fehlern"],
  "folder.checked": ["{done} of {count} files checked, {wrong} with errors", "{done} von {count} Dateien geprüft, {wrong} mit Fehlern"],
  "folder.searched": ["{done} of {count} files searched, hits in {hits}", "{done} von {count} Dateien durchsucht, Treffer in {hits}"],
  "folder.locked": ["encrypted", "verschlüsselt"],
  "folder.unknown": ["not read yet", "noch nicht gelesen"],
  "folder.sound": ["{what}, without errors", "{what}, ohne Fehler"],
  "find.none": ["Nothing is found.", "Nichts gefunden."],
  "find.hits": ["{count} {count|hit|hits}", "{count} Treffer"],
  "find.hitsSoFar": ["{count} hits so far…", "bisher {count} Treffer…"],
  "find.firstHits": ["The first {count} hits", "Die ersten {count} Treffer"],

  // The page inside a host.
  "host.readOnly": ["This file can only be read.", "Diese Datei kann nur gelesen werden."],

  // Rows, their menus, and their inputs.
  "row.whole": ["the whole value", "der ganze Wert"],
  "row.damage": ["damage", "Schaden"],
  "row.keys": ["{count} {count|key|keys}", "{count} {count|Schlüssel|Schlüssel}"],
  "row.items": ["{count} {count|item|items}", "{count} {count|Eintrag|Einträge}"],
  "row.more": ["Actions for {name}", "Aktionen für {name}"],
  "row.menu": ["Actions for {name}", "Aktionen für {name}"],
  "row.kindOf": ["Kind of {name}: {kind}", "Art von {name}: {kind}"],
  "row.kinds": ["Kinds", "Arten"],
  "row.oneKind": ["Every value of this list is of the kind {kind}.", "Jeder Wert dieser Liste hat die Art {kind}."],
  "row.edit": ["Edit", "Ändern"],
  "row.editText": ["Edit as text", "Als Text ändern"],
  "row.rename": ["Rename key", "Schlüssel umbenennen"],
  "row.add": ["Add below", "Darunter einfügen"],
  "row.addIn": ["Add inside", "Darin einfügen"],
  "row.addLike": ["Add like this", "Gleichen Wert einfügen"],
  "row.duplicate": ["Duplicate", "Verdoppeln"],
  "row.copy": ["Copy", "Kopieren"],
  "row.cut": ["Cut", "Ausschneiden"],
  "row.paste": ["Paste", "Einfügen"],
  "row.pasteText": ["This is not a value. Paste it as text", "Das ist kein Wert. Als Text einfügen"],
  "row.pasteNot": ["Do not paste", "Nicht einfügen"],
  "row.copyPath": ["Copy path", "Pfad kopieren"],
  "row.moveUp": ["Move up", "Nach oben"],
  "row.moveDown": ["Move down", "Nach unten"],
  "row.choose": ["Choose several", "Mehrere wählen"],
  "row.remove": ["Delete", "Löschen"],
  "row.setAll": ["Set all like this…", "Alle wie diesen setzen…"],
  "row.all.path": ["Path of the values", "Pfad der Werte"],
  "row.all.value": ["New value", "Neuer Wert"],
  "row.all.done": ["The values are set.", "Die Werte sind gesetzt."],
  "row.all.filter": ["New value of {count} found {count|value|values}", "Neuer Wert für {count} {count|gefundenen Wert|gefundene Werte}"],
  "row.newKey": ["new", "neu"],
  "row.otherSettings": [
    "Only this setting is renamed. {count} other {count|setting is|settings are} still called “{name}”.",
    "Nur diese Einstellung ist umbenannt. {count} andere {count|heißt|heißen} noch „{name}“.",
  ],
  "row.copied": ["{count} {count|value|values} copied.", "{count} {count|Wert|Werte} kopiert."],
  "row.pathCopied": ["Path copied.", "Pfad kopiert."],
  "row.noPath": ["This value has no path, since its key is not a text or a number. Change the list around it as text.", "Dieser Wert hat keinen Pfad, weil sein Schlüssel weder Text noch Zahl ist. Ändere die Liste um ihn als Text."],
  "row.tooLong": ["This value is too large to be edited as text. Open it, and edit what is in it.", "Dieser Wert ist zu groß, um ihn als Text zu ändern. Öffne ihn und ändere, was darin ist."],
  "field.of": ["Value of {name}", "Wert von {name}"],
  "field.keyOf": ["Key {name}", "Schlüssel {name}"],
  "field.newKey": ["Key of the new value", "Schlüssel des neuen Werts"],
  "field.less": ["One less", "Eins weniger"],
  "field.more": ["One more", "Eins mehr"],
  "field.sign": ["Change the sign", "Vorzeichen wechseln"],
  "field.color": ["Choose a color", "Farbe wählen"],
  "field.apply": ["Apply", "Übernehmen"],
  "field.leave": ["Leave it as it was", "So lassen wie es war"],
  "field.noNumber": ["{name} is not a number. Write it as 7 or 0.5.", "{name} ist keine Zahl. Schreibe sie als 7 oder 0.5."],
  "field.literal": ["Written as in a script: {example}", "Geschrieben wie in einem Skript: {example}"],
  "field.list": ["Elements with commas between them", "Elemente mit Kommas dazwischen"],
  "field.kindChanges": ["This makes {to} of {from}.", "Damit wird aus {from} {to}."],
  "field.change": ["Change", "Ändern"],
  "field.keep": ["Keep", "Behalten"],
  "field.dropped": ["Not applied to “{name}”: {text}.", "Nicht übernommen für „{name}“: {text}."],
  "key.ctrl": ["Ctrl", "Strg"],
  "key.shift": ["Shift", "Umschalt"],
  "key.delete": ["Del", "Entf"],
  "key.insert": ["Ins", "Einfg"],
};

const LANGUAGES = ["en", "de"];
/** The name of each language in the language itself. */
export const NAMES = { en: "English", de: "Deutsch", qps: "⟦qps⟧" };
/** A made-up language, for tests: every text in brackets and longer, from right to left. */
const MADE_UP = "qps";

let language = "en";
/** The form of numbers in the language. Making it takes longer than its use. */
let numbers = new Intl.NumberFormat(language);

export const languages = LANGUAGES;
export const languageNow = () => language;

/** Chooses a language: the given one, or the first of the browser's languages that the page has. */
export function choose(wanted, [...ofBrowser] = navigator.languages) {
  const known = [wanted, ...ofBrowser].map((tag) => tag?.split("-", 1)[0]);
  language = known.find((tag) => LANGUAGES.includes(tag) || tag === MADE_UP) ?? "en";
  numbers = new Intl.NumberFormat(language === MADE_UP ? "en" : language);
  document.documentElement.lang = language;
  document.documentElement.dir = language === MADE_UP ? "rtl" : "ltr";
}

/** The text `key` with the given values. */
export function t(key, values = {}) {
  const of = TEXTS[key];
  if (of === undefined) throw new Error(`no text is called ${key}`);
  const filled = of[Math.max(0, LANGUAGES.indexOf(language))].replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, name, one, many) => {
    const value = values[name];
    if (many !== undefined) return value === 1 ? one : many;
    return typeof value === "number" ? numbers.format(value) : value;
  });
  return language === MADE_UP ? `⟦${filled}${"·".repeat(Math.ceil(filled.length / 3))}⟧` : filled;
}

/** The attributes of elements that have a text: `data-t` for the content, `data-t-label` and so on for attributes. */
const PLACES = {
  "data-t": (element, text) => { element.textContent = text; },
  "data-t-label": (element, text) => element.setAttribute("aria-label", text),
  "data-t-placeholder": (element, text) => element.setAttribute("placeholder", text),
  "data-t-title": (element, text) => element.setAttribute("title", text),
};

/** Fills in the texts of the elements below `root`. */
export function localize(root) {
  for (const [attribute, put] of Object.entries(PLACES)) {
    for (const element of root.querySelectorAll(`[${attribute}]`)) put(element, t(element.getAttribute(attribute)));
  }
}
