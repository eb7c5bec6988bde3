/** What the studio's server sends; `server/sitting.py` and `workshop/` make it. */
export interface Interval { value: number; low: number; high: number }
export interface Verdict { line: number; heading: string; holds: boolean | null; found: [number, string][] }
export interface Part { heading: string; lines: [string, string][] }
export interface Difference { from: "saved" | "base"; parts: Part[] }
export interface Figures {
  type: "figures"; n: number; fault?: string; games: number; players: number;
  moves: Interval & { low10: number; high90: number }; rounds: Interval | null; wins: Interval[]; even: number; shared: Interval;
  kept: { name: string; means: Interval[] }[]; rules: [number, string, number][];
}
export interface Hello {
  type: "hello"; words: Record<string, string>; language: string; book: string; languages: [string, string][]; folder: string;
  files: string[]; games: string[]; begins: boolean;
}
export type Told =
  | Hello | Figures
  | { type: "file"; name: string; uri: string; text: string; stamp: string }
  | { type: "saved"; stamp: string; files: string[] } | { type: "changed"; stamp: string; text: string }
  | { type: "refused"; words: string } | { type: "late"; n: number; kind: string }
  | { type: "base"; n: number; sections: [string, string][] } | { type: "wrong"; n: number; errors: number } | { type: "rules"; n: number; title: string; players: [number, number] }
  | { type: "book"; n: number; page: string; sections: [number, string][] } | { type: "flow"; n: number; picture: string }
  | { type: "differences"; n: number; of: Difference[] }
  | { type: "table"; n: number; playable: boolean; token?: string; players?: number; range?: [number, number] }
  | { type: "example"; lines: string[] };
