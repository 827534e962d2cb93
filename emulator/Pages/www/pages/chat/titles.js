// The title of a conversation: a group's name, or the names of the other members. Its avatar: the other member's, or a
// group's.

import { avatar } from "./avatar.js";

export function titleOf(conversation, uid, people) {
  if (!conversation) return null;
  if (conversation.isGroup && conversation.name) return conversation.name;
  const others = conversation.participants.filter((other) => other !== uid);
  return others.length ? others.slice(0, 4).map((other) => people.name(other)).join(", ") : "Only you";
}

/** Returns {key, make}: make() creates a conversation's avatar, which is another one if the key is. */
export function conversationAvatar(conversation, uid, people) {
  const other = conversation.isGroup ? undefined : conversation.participants.find((member) => member !== uid);
  const name = conversation.isGroup ? "#" : titleOf(conversation, uid, people);
  const picture = other === undefined ? "" : people.picture(other);
  return { key: `${name} ${picture}`, make: () => avatar(other ?? conversation.id, name, picture) };
}
