package gatebook.command.rules;

import org.jspecify.annotations.Nullable;

/**
 * A candidate: rules that are observed. They decide each call, too, without effect on its answer.
 *
 * @param hash over the texts they were read from, as far as these could be read
 * @param rules absent when their files have mistakes
 */
public record Candidate(String hash, @Nullable Rules rules) {}
