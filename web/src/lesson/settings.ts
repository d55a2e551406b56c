/** What the reader chose: language, size of type. Nothing is stored. */
import { effect, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { type Texts, useTexts } from '../texts';
import { de as sharedDe } from '../texts/de';
import { en as sharedEn } from '../texts/en';
import { zh as sharedZh } from '../texts/zh';
import { de } from '../texts/lesson/de';
import { en, type LessonText } from '../texts/lesson/en';
import { zh } from '../texts/lesson/zh';
import { fillParts, fillText, type Values } from '../texts/say';

export const LANGUAGES = { en: 'English', de: 'Deutsch', zh: '中文' } as const;
export type Language = keyof typeof LANGUAGES;
const TABLES: Record<Language, Record<LessonText, string>> = { en, de, zh };

export const language = signal<Language>('en');
/** Large type, for a projector. */
export const presenter = signal(false);

const SHARED: Record<Language, Texts> = { en: sharedEn, de: sharedDe, zh: sharedZh };

effect(() => {
  useTexts(SHARED[language.value]);
  document.documentElement.lang = language.value === 'zh' ? 'zh-Hans' : language.value;
});

/** A sentence in the language of the page. */
export function say(key: LessonText, values: Record<string, string | number> = {}): string {
  return fillText(TABLES[language.value][key], values);
}

/** A sentence whose blanks hold elements. */
export function sayParts(key: LessonText, values: Values): ComponentChildren[] {
  return fillParts(TABLES[language.value][key], values);
}
