package gatebook.command.policy;

/** A file of policies, or a schema, as it was read; the name is what mistakes in it are told by. */
public record PolicyFile(String name, String text) {}
