package gatebook.query.terms;

/**
 * A stored list of occurrences.
 *
 * @param number higher than that of every list from earlier pages
 * @param count how many occurrences it has
 * @param lowest the lowest place of its occurrences
 * @param highest the highest place of its occurrences
 * @param hasChunks whether its row has only the first occurrence of each chunk, and not all
 */
record StoredList(long number, int count, long lowest, long highest, boolean hasChunks) {}
