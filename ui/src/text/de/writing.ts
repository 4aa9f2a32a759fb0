/** Die Worte von Einstellungen › Schreiben. */
import type { Text } from "../en";
import { plural } from "../phrases";

export const writing: Text["writing"] = {
  section: "Schreiben",
  lead: "Wer schreibt, was ein Design sagt, im Studio auf diesem Computer. Wie es aussieht, macht das Studio immer selbst.",
  who: "Wer schreibt",
  kinds: {
    built_in: { name: "Eingebaut", text: "Regeln, die deinen Auftrag lesen. Nichts verlässt diesen Computer." },
    on_this_computer: { name: "Ein Modell auf diesem Computer", text: "Ein Sprachmodell, das hier läuft, in Ollama. Nichts verlässt diesen Computer." },
    service: { name: "Ein Dienst", text: "Ein Sprachmodell anderswo, mit seiner Adresse und deinem Schlüssel." },
  },
  now: "Schreibt jetzt",
  address: "Adresse",
  ollamaHint: "Wo Ollama zu erreichen ist. Das ist ein eigenes Programm, von ollama.com.",
  serviceHint: "Etwa https://api.openai.com/v1. Viele Dienste sprechen wie OpenAI.",
  model: "Modell",
  modelHint: "Unter dem Namen, den der Dienst dafür hat",
  noModel: "Ein Modell wählen",
  look: "Modelle suchen",
  found: (count) => plural(count, "Ein Modell ist da.", "# Modelle sind da."),
  foundNone: "Es antwortet und hat kein Modell. Hole zuerst eines, etwa mit „ollama pull“.",
  protocol: "Spricht",
  protocols: { auto: "Wie die Adresse es sagt", openai: "Wie OpenAI", anthropic: "Wie Anthropic", gemini: "Wie Gemini", ollama: "Wie Ollama" },
  key: "Schlüssel",
  keyHint: "Kommt in den Schlüsselbund. Er geht an diesen Dienst und sonst nirgends hin.",
  keyKept: "Ein Schlüssel ist da. Gib einen anderen ein, um ihn zu ersetzen.",
  leaves: {
    title: (host) => `Was diesen Computer verlässt, an ${host}`,
    items: [
      "worum du bittest, Wort für Wort",
      "der Text der Dateien, die du anhängst, bis 80 kB; keine Bilder und keine Datei selbst",
      "was ein Design sagt, das du mit einem Prompt abwandelst, und der Name der Firma im Markenpaket",
    ],
    close: "Der Dienst kann es behalten; wie lange, sagen seine Bedingungen. Was zurückkommt, wird geprüft: eine Zahl, ein Datum, ein Preis oder ein Name, den du nicht genannt hast, steht dann in der Aufgabe.",
    here: (host) => `Das Modell läuft unter ${host}, also verlässt nichts diesen Computer.`,
    network: (host) => `${host} ist nicht dieser Computer: Dein Auftrag und der Text deiner Dateien gehen dorthin.`,
    nowhere: "Nichts verlässt diesen Computer.",
  },
  use: "Schreiben lassen",
  useBuiltIn: "Das Studio schreiben lassen",
  used: (model) => `Ab jetzt schreibt ${model}`,
  usedBuiltIn: "Ab jetzt schreibt das Studio selbst",
  forSession: "Den Schlüssel behalten, bis Easel schließt",
};
