export const words = {
  thirdParty: "Licences of others' works in it",
};
