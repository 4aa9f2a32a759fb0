/** Jedes Tastenkürzel des Fensters, danach, wo es gilt. */
import type { Text } from "../en";

export const shortcuts: Text["shortcuts"] = {
  title: "Tastenkürzel",
  groups: [
    {
      title: "Überall",
      keys: [
        { keys: ["Strg", "K"], text: "Suchen, überallhin gehen, alles tun" },
        { keys: ["?"], text: "Alle Tastenkürzel zeigen" },
        { keys: ["Strg", "V"], text: "Die Zwischenablage in die Ablage legen" },
        { keys: ["Alt", "←"], text: "Zurück" },
        { keys: ["Alt", "→"], text: "Vorwärts" },
        { keys: ["Strg", "+"], text: "Größere Schrift" },
        { keys: ["Strg", "−"], text: "Kleinere Schrift" },
        { keys: ["Strg", "0"], text: "Normale Schriftgröße" },
      ],
    },
    {
      title: "Listen und Karten",
      keys: [
        { keys: ["↑", "↓", "Pos1", "Ende"], text: "Bewegen" },
        { keys: ["Umschalt", "Strg"], text: "Mit den Pfeilen oder einem Klick: mehr auswählen" },
        { keys: ["Strg", "A"], text: "Alles auswählen" },
        { keys: ["Esc"], text: "Die Auswahl aufheben" },
        { keys: ["Eingabe"], text: "Öffnen" },
        { keys: ["Leertaste"], text: "Schnellansicht: Pfeile führen weiter, Leertaste schließt" },
        { keys: ["Umschalt", "F10"], text: "Aktionen" },
      ],
    },
    {
      title: "Designs",
      keys: [
        { keys: ["S"], text: "Stern geben" },
        { keys: ["X"], text: "Ablehnen" },
        { keys: ["E"], text: "Auf einem Kontaktbogen: exportieren, was einen Stern hat" },
        { keys: ["F2"], text: "Umbenennen" },
      ],
    },
    {
      title: "Ablage",
      keys: [
        { keys: ["F2"], text: "Umbenennen" },
        { keys: ["Entf"], text: "Löschen" },
        { keys: ["Rücktaste"], text: "Zum Ordner darüber" },
        { keys: ["F5"], text: "Noch einmal nachsehen" },
      ],
    },
    {
      title: "Ein geöffnetes Design",
      keys: [
        { keys: ["Bild ↑", "Bild ↓"], text: "Blättern" },
        { keys: ["+", "−", "0"], text: "Größer, kleiner, passend" },
        { keys: ["S", "X"], text: "Stern geben, ablehnen" },
        { keys: ["Strg", "Z"], text: "Textänderung rückgängig, mit Umschalt wiederholen" },
        { keys: ["F2"], text: "Umbenennen" },
        { keys: ["Esc"], text: "Zurück zu den Designs" },
      ],
    },
  ],
};
