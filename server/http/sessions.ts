export type { Actor } from '#server/actor.ts';
