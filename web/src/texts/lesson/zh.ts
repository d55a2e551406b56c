import { en } from './en';
export const zh = en;
