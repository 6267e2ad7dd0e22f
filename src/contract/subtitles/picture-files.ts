/** Formats of subtitle files made of pictures. They are too large to be preserved, so none is changed or deleted. */
export const PICTURE_FILES = ['sup', 'vobsub'] as const;
export const isPictureFile = (format: string): boolean => (PICTURE_FILES as readonly string[]).includes(format);
