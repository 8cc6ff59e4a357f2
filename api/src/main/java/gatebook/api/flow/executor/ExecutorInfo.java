package gatebook.api.flow.executor;

/**
 * An executor as callers see it.
 *
 * @param extension what provides it: the name of a source, or of the gateway itself
 */
public record ExecutorInfo(String id, String name, String extension, String description) {}
