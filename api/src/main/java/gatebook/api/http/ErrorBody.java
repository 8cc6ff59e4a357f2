package gatebook.api.http;

/**
 * The body of an HTTP error at the operators' port: one sentence, never the path, the exception or
 * anything else of ours.
 */
public record ErrorBody(String error) {}
