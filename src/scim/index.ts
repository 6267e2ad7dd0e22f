/** The door of SCIM: what a directory does with users, and how an Owner sets the directory up. */
import { createDirectoryToken, type DirectoryTokenNeeds } from './token.ts';
import { createScimUsers } from './users.ts';

export type Scim = ReturnType<typeof openScim>;

export const openScim = (needs: DirectoryTokenNeeds) => ({
  users: createScimUsers(needs.identity.operations),
  token: createDirectoryToken(needs),
});
