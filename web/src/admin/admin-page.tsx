/** The administration: its parts are told apart by the address, `/admin/users` and so on. */
export function AdminPage() {
  return null;
}
