package gatebook.command.axon;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toUnmodifiableMap;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.axonframework.common.configuration.Configuration;
import org.axonframework.messaging.commandhandling.CommandHandlingComponent;
import org.axonframework.messaging.commandhandling.CommandMessage;
import org.axonframework.messaging.commandhandling.CommandResultMessage;
import org.axonframework.messaging.commandhandling.annotation.AnnotatedCommandHandlingComponent;
import org.axonframework.messaging.core.MessageStream;
import org.axonframework.messaging.core.QualifiedName;
import org.axonframework.messaging.core.annotation.ParameterResolverFactory;
import org.axonframework.messaging.core.conversion.MessageConverter;
import org.axonframework.messaging.core.unitofwork.ProcessingContext;

/**
 * Finds the handler of a command by its name. Axon, given several components, asks each one for the
 * names of all its commands whenever a command comes.
 */
record CommandHandlersByName(Map<QualifiedName, CommandHandlingComponent> byName)
    implements CommandHandlingComponent {

  /**
   * The handlers in some objects.
   *
   * @param annotated objects with annotated methods, of which no two handle the same command
   */
  static CommandHandlersByName of(Configuration configuration, Object... annotated) {
    return new CommandHandlersByName(
        Arrays.stream(annotated)
            .map(it -> component(configuration, it))
            .flatMap(it -> it.supportedCommands().stream().map(name -> Map.entry(name, it)))
            .collect(toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue)));
  }

  private static CommandHandlingComponent component(Configuration configuration, Object annotated) {
    return new AnnotatedCommandHandlingComponent<>(
        annotated,
        configuration.getComponent(ParameterResolverFactory.class),
        configuration.getComponent(MessageConverter.class));
  }

  @Override
  public Set<QualifiedName> supportedCommands() {
    return byName.keySet();
  }

  /** Axon sends it only the commands that it supports. */
  @Override
  public MessageStream.Single<CommandResultMessage> handle(
      CommandMessage command, ProcessingContext context) {
    return requireNonNull(byName.get(command.type().qualifiedName())).handle(command, context);
  }
}
