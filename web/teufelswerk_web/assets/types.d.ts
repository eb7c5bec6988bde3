/** What the server sends; `wire/` makes it. */
export interface Card { title: string; face: string; order: number }
export interface Place {
  name: string; label: string; family: string; heading: string; owner: number;
  row: boolean; ends: boolean; hidden: boolean; private: boolean;
}
export interface Lying { count: number; cards?: (string | null)[]; owners?: (number | null)[]; backs?: Record<string, number>; facts?: [string, string][] }
export interface Scene {
  turn: number | null; places: Record<string, Lying>; keeps: [string, string][];
  seats: [string, string][][]; sides: [string, string][][];
}
export interface Moment { scene: Scene; told: string[]; taken?: string }
export type Thing = string;
export type Move = [number, (Thing | Thing[])[], string];
export interface Choices { verbs: { called: string; invitation: string }[]; moves: Move[] }
export interface Chair { name: string; kind: "free" | "human" | "bot"; away: boolean; standIn: boolean }
export interface Sheet { label: string; heads: string[]; rows: number[][] }
export interface People { chairs: Chair[]; question: string | null }
export interface Game extends People {
  type: "game"; at: number; whole?: boolean; moments: Moment[];
  flights: [string[] | null, number, string, string][]; sheet: Sheet[]; choices?: Choices;
  over?: { ranking: string[]; winners: number[] };
}
export interface Hello {
  type: "hello"; language: string; languages: [string, string][]; words: Record<string, string>; seat: number;
  players: number; link: string; book: string; title: string; cards: Record<string, Card>;
  backs: Record<string, { title: string; face: string }>; places: Place[];
}
export type Incoming =
  | Hello | Game | ({ type: "room"; code: string[] } & People) | ({ type: "people" } & People)
  | { type: "seated"; token: string; seat: number } | { type: "note"; lines: string[]; style: string }
  | ({ type: "last" } & Moment);
