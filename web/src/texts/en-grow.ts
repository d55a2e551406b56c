/** The sentences of the Grow screen. */
export const growTexts = {
  tools: 'Growing',
};
